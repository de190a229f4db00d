package browsertest

import (
	"bytes"
	"html"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// ComparePicture compares a page with its picture in the documents. With update it draws the
// picture again.
//
// A file .words next to the picture names the browser and the fonts, and has the words of the page.
// The words are compared everywhere. The pictures are compared only if browser and fonts are the
// same, since others move the text.
func ComparePicture(t *testing.T, page []byte, path string, update bool) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	if err := os.WriteFile(file, page, 0o666); err != nil {
		t.Fatal(err)
	}
	list := strings.TrimSuffix(path, ".png") + ".words"
	words, with := wordsOf(string(page)), renderer()
	if update {
		if with == "" {
			t.Fatal("there is no chromium to draw with")
		}
		screenshot(t, file, path)
		if err := os.WriteFile(list, []byte(with+"\n\n"+words), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	drawnWith, shown, _ := strings.Cut(string(kept), "\n\n")
	if words != shown {
		t.Errorf("the page has other words than %s shows: make pictures\n%s", path, words)
	}
	switch {
	case with == "":
		t.Skip("there is no chromium: only the words of the page are compared")
	case with != drawnWith:
		t.Skipf("%s, and the picture was drawn with %s: only the words of the page are compared", with, drawnWith)
	}
	now := filepath.Join(dir, "now.png")
	screenshot(t, file, now)
	comparePoints(t, path, picture(t, path), picture(t, now))
}

// comparePoints compares the points of two pictures.
func comparePoints(t *testing.T, path string, a, b image.Image) {
	t.Helper()
	if a.Bounds() != b.Bounds() {
		t.Fatalf("the picture has %v, and %v now", a.Bounds(), b.Bounds())
	}
	differ := 0
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			if !alike(a, b, x, y) {
				differ++
			}
		}
	}
	if all := a.Bounds().Dx() * a.Bounds().Dy(); differ > all/2000 { // the edges of letters vary with the processor
		t.Errorf("%d of %d points differ from %s: make pictures", differ, all, path)
	}
}

// wordsOf returns the words of a page up to its first finding in full, a line for each element that
// has some.
func wordsOf(page string) string {
	page = page[strings.Index(page, "<body"):]
	page, _, _ = strings.Cut(page, "Open all")
	page = regexp.MustCompile(`(?s)<(script|style|svg)\b.*?</(script|style|svg)>`).ReplaceAllString(page, "\n")
	page = regexp.MustCompile(`(?s)<[^>]*>`).ReplaceAllString(page, "\n")
	var b strings.Builder
	for line := range strings.Lines(page) {
		if words := strings.Join(strings.Fields(html.UnescapeString(line)), " "); words != "" {
			b.WriteString(words + "\n")
		}
	}
	return b.String()
}

// chromium returns the path of the browser, or "" if there is none.
func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// renderer names the browser and the fonts, or is empty without a browser.
func renderer() string {
	browser := chromium()
	if browser == "" {
		return ""
	}
	var words []string
	for _, command := range [][]string{{browser, "--version"}, {"fc-match", "system-ui"}, {"fc-match", "monospace"}} {
		out, _ := exec.Command(command[0], command[1:]...).Output()
		words = append(words, strings.TrimSpace(string(out)))
	}
	return strings.Join(words, "; ")
}

// screenshot draws a page into a file.
func screenshot(t *testing.T, page, to string) {
	t.Helper()
	to, err := filepath.Abs(to)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(chromium(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage", "--force-device-scale-factor=1",
		"--user-data-dir="+t.TempDir(), "--window-size=1200,1000", "--screenshot="+to, "file://"+page)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// picture reads a picture.
func picture(t *testing.T, path string) image.Image {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	i, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return i
}

// alike reports whether a point has nearly the same color in both pictures.
func alike(a, b image.Image, x, y int) bool {
	const most = 32 << 8
	ar, ag, ab, _ := a.At(x, y).RGBA()
	br, bg, bb, _ := b.At(x, y).RGBA()
	for _, d := range []int{int(ar) - int(br), int(ag) - int(bg), int(ab) - int(bb)} {
		if d > most || d < -most {
			return false
		}
	}
	return true
}
