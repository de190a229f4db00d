# Reads a number as a shell's pattern sees it.
IFS= read -r text
case "$text" in
'' | ?????*) echo "length" >&2; exit 1 ;;
*[!0-9]*) echo "no digit in $text" >&2; exit 1 ;;
esac
printf %s "$text"
