#!/bin/sh
# Keeps the campaigns of parallax on a branch.
#
#   corpus.sh restore    copies the campaigns of the branch to .parallax
#   corpus.sh save       minimizes the corpora in .parallax, and pushes the campaigns
#
# BRANCH (fuzz-corpus) and REMOTE (origin) may be set.
set -eu
branch=${BRANCH:-fuzz-corpus}
remote=${REMOTE:-origin}
as='git -c user.name=parallax -c user.email=parallax@invalid'
kept=$(git rev-parse --git-path parallax-corpus)

# checkout puts the branch into the folder $kept, or an empty branch if there is none yet.
checkout() {
	git worktree remove --force "$kept" 2>/dev/null || true
	git worktree prune
	if git fetch -q --depth 1 "$remote" "$branch" 2>/dev/null; then
		git worktree add -q --detach "$kept" FETCH_HEAD
		return
	fi
	empty=$($as commit-tree "$(git mktree </dev/null)" -m "corpus: the first campaigns" </dev/null)
	git worktree add -q --detach "$kept" "$empty"
}

restore() {
	checkout
	mkdir -p .parallax
	cp -R "$kept"/. .parallax/
	rm -f .parallax/.git
}

# adopt merges the campaigns of the branch into those of this job. New ones are copied.
adopt() {
	for theirs in "$kept"/*/; do
		[ -f "$theirs/campaign.json" ] || continue
		ours=.parallax/$(basename "$theirs")
		if [ -f "$ours/campaign.json" ]; then
			parallax corpus merge "$theirs" --campaign "$ours"
		else
			cp -R "$theirs" "$ours"
		fi
	done
}

save() {
	parallax corpus minimize
	for attempt in 1 2 3 4 5; do
		checkout
		adopt
		cp -R .parallax/. "$kept"/
		rm -f "$kept"/.gitignore "$kept"/*/lock
		git -C "$kept" add -A -f
		if git -C "$kept" diff --cached --quiet; then
			return
		fi
		$as -C "$kept" commit -q -m "corpus: attempt $attempt of ${GITHUB_RUN_ID:-a local run}"
		if git -C "$kept" push -q "$remote" "HEAD:refs/heads/$branch"; then
			return
		fi
	done
	echo "corpus.sh: $remote refuses the branch $branch: .parallax keeps the campaigns" >&2
	exit 1
}

case ${1:-} in
restore | save) "$1" ;;
*)
	echo "usage: corpus.sh restore|save" >&2
	exit 2
	;;
esac
