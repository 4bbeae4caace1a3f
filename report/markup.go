package report

import (
	"html"
	"strings"
)

// piece is HTML in which texts are escaped.
type piece string

// attr is an attribute of an element; it is left out where its value is empty.
type attr struct{ name, value string }

func class(names string) attr { return attr{"class", names} }

// el makes an element of attributes and of what stands in it, in their order. Strings are texts and
// are escaped, as values of attributes are; pieces are HTML already. Names are constants of this
// package, and none is one in which a text could be a script, a style or an address. So nothing
// that a column is called can end the element or the value that it stands in.
func el(name string, inner ...any) piece {
	var head, body strings.Builder
	for _, part := range inner {
		switch part := part.(type) {
		case attr:
			if part.value != "" {
				head.WriteString(" " + part.name + `="` + html.EscapeString(part.value) + `"`)
			}
		case string:
			body.WriteString(html.EscapeString(part))
		case piece:
			body.WriteString(string(part))
		case []piece:
			for _, p := range part {
				body.WriteString(string(p))
			}
		default:
			panic("report: an element holds texts, pieces and attributes alone")
		}
	}
	return piece("<" + name + head.String() + ">" + body.String() + "</" + name + ">")
}

// each makes a piece of each of some values.
func each[T any](all []T, of func(v T) piece) []piece {
	pieces := make([]piece, len(all))
	for i, v := range all {
		pieces[i] = of(v)
	}
	return pieces
}

// scrolled puts what may be wider than a page into a region that scrolls by itself, also by
// keyboard.
func scrolled(label, classes string, inner piece) piece {
	return el("div", class(classes), attr{"role", "region"}, attr{"aria-label", label},
		attr{"tabindex", "0"}, inner)
}
