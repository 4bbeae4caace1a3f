package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
)

// block is a value that scripts of the page read.
type block struct {
	Name    string // letters, digits and hyphens
	Content any    // encoded as JSON
}

// writePage writes a self-contained HTML page: its sections, then data as JSON, the scripts that
// need it, and a style sheet, in one file that loads nothing. The title is text. Errors: content
// that JSON cannot hold, and those of w.
//
//	<head>   policy: scripts and styles by their hashes, nothing else
//	<body>   <section id="NAME">                              one for each section
//	         <script type="application/json" id="data-NAME">  what scripts read
//	         the scripts of assets in the order of their names
//
// Texts of models and tables are escaped by el. So no name of a column can become an element or a
// script.
func writePage(w io.Writer, title string, sections []entry, blocks []block) error {
	script, style, err := own()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, head, policy(script, style), html.EscapeString(title), style,
		html.EscapeString(title), contents(sections))
	for _, s := range sections {
		b.WriteString(string(s.html()))
	}
	b.WriteString("</main>\n")
	for _, block := range blocks {
		text, err := json.Marshal(block.Content) // escapes <, > and & in texts
		if err != nil {
			return fmt.Errorf("section %s: %w", block.Name, err)
		}
		fmt.Fprintf(&b, "<script type=\"application/json\" id=\"data-%s\">%s</script>\n",
			block.Name, text)
	}
	fmt.Fprintf(&b, tail, script)
	_, err = w.Write(b.Bytes())
	return err
}

// contents lists the sections.
func contents(sections []entry) piece {
	return el("ul", each(sections, func(s entry) piece {
		missing := map[bool]string{true: "missing"}[s.Missing != ""]
		return el("li", el("a", attr{"href", "#" + s.ID}, class(missing), s.Title))
	}))
}

// html makes the section.
func (s *entry) html() piece {
	title := "title-" + s.ID
	parts := s.Parts
	if s.Missing != "" {
		parts = []piece{note("%s", s.Missing)}
	}
	return el("section", attr{"id", s.ID}, attr{"aria-labelledby", title},
		el("h2", attr{"id", title}, s.Title), el("p", class("about"), s.About), parts) + "\n"
}

// own returns the page's own scripts, as one function, and its style sheet.
func own() (script, style string, err error) {
	var scripts, styles strings.Builder
	err = fs.WalkDir(assets, "assets", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := assets.ReadFile(path)
		if err != nil {
			return err
		}
		switch filepath.Ext(path) {
		case ".css":
			styles.Write(text)
		case ".js":
			scripts.Write(text)
		}
		return nil
	})
	return "(() => {\n'use strict';\n" + scripts.String() + "})();\n", styles.String(), err
}

// policy returns the Content-Security-Policy that allows this script and this style, and nothing
// that is loaded.
func policy(script, style string) string {
	return "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style) +
		"; base-uri 'none'; form-action 'none'"
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

const head = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%s</title>
<style>%s</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<header><h1>%s</h1></header>
<nav id="contents" aria-label="Sections">%s</nav>
<main id="main">
`

const tail = `<script>%s</script>
</body>
</html>
`
