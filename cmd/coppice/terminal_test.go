package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// pictured is the command whose run the README shows as a picture.
const pictured = "coppice train testdata/spambase/spambase.csv --label spam --test 0.2"

// The picture of a terminal in the README is what the command prints today, but for its time.
// COPPICE_UPDATE=1 draws it again.
func TestTerminalPicture(t *testing.T) {
	tier.NotShort(t, "trains the model of the README")
	root, _ := pages(t)
	path := filepath.Join(root, "docs", "img", "terminal.svg")
	folder := t.TempDir()
	if err := os.Symlink(filepath.Join(root, "testdata"), filepath.Join(folder, "testdata")); err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(pictured)
	cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
	cmd.Dir = folder
	printed, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	got := terminal(pictured, strings.Split(strings.TrimRight(string(printed), "\n"), "\n"))
	if os.Getenv("COPPICE_UPDATE") != "" {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if times := regexp.MustCompile(`trained in [^<]*`); !bytes.Equal(times.ReplaceAll(got, nil),
		times.ReplaceAll(want, nil)) {
		t.Errorf("docs/img/terminal.svg is not what the command prints; COPPICE_UPDATE=1 draws it again:\n%s",
			printed)
	}
}

// The sizes of the picture, in tenths of a pixel. Each line is as long as its characters need in
// any font.
const (
	terminalLine   = 190
	terminalColumn = 84
	terminalInset  = 160
	terminalTop    = 380
)

// terminal draws lines of a terminal, light or dark as the reader prefers.
func terminal(command string, lines []string) []byte {
	wide := utf8.RuneCountInString(command) + 2
	for _, line := range lines {
		wide = max(wide, utf8.RuneCountInString(line))
	}
	width, height := 2*terminalInset+wide*terminalColumn, terminalTop+(len(lines)+2)*terminalLine
	var b bytes.Buffer
	p := svg.NewPen(&b)
	fmt.Fprintf(p, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%v\" height=\"%v\" viewBox=\"0 0 %v %v\" role=\"img\">\n",
		svg.Tenths(width), svg.Tenths(height), svg.Tenths(width), svg.Tenths(height))
	p.Element("title", "A run of coppice train in a terminal")
	p.WriteString(`<style>
rect { fill: #f6f8fa; stroke: #d0d7de; } circle { fill: #d0d7de; }
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace; fill: #1f2933; white-space: pre; }
.command { font-weight: bold; fill: #00629b; }
@media (prefers-color-scheme: dark) {
rect { fill: #151b23; stroke: #3d444d; } circle { fill: #3d444d; } text { fill: #e6eaee; } .command { fill: #7cc4f0; }
}
</style>
`)
	fmt.Fprintf(p, "<rect x=\"0.5\" y=\"0.5\" width=\"%v\" height=\"%v\" rx=\"8\"/>\n", svg.Tenths(width-10), svg.Tenths(height-10))
	for i := range 3 {
		fmt.Fprintf(p, "<circle cx=\"%d\" cy=\"18\" r=\"5\"/>\n", 18+18*i)
	}
	for i, line := range append([]string{"$ " + command}, lines...) {
		if line == "" {
			continue
		}
		class := ""
		if i == 0 {
			class = ` class="command"`
		}
		fmt.Fprintf(p, "<text%s x=\"%v\" y=\"%v\" textLength=\"%v\" xml:space=\"preserve\">", class,
			svg.Tenths(terminalInset), svg.Tenths(terminalTop+(i+1)*terminalLine),
			svg.Tenths(utf8.RuneCountInString(line)*terminalColumn))
		p.Escape(line)
		p.WriteString("</text>\n")
	}
	p.End()
	_ = p.Flush() // a buffer takes all
	return b.Bytes()
}
