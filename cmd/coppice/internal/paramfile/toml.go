package paramfile

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

func parseTOML(text []byte) ([]entry, error) {
	values := map[string]any{}
	if err := toml.Unmarshal(text, &values); err != nil {
		return nil, tomlFault(err)
	}
	return tomlTable(values, nil, tomlLines(text))
}

// tomlFault adds the line to an error of the decoder.
func tomlFault(err error) error {
	var wrong *toml.DecodeError
	line := 0
	if errors.As(err, &wrong) {
		line, _ = wrong.Position()
	}
	what := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "toml: "), "toml: ")
	return fault(line, "it is no TOML: %s", what)
}

// tomlTable turns a decoded table into entries in the order of their lines.
func tomlTable(values map[string]any, above []string, lines map[string]int) ([]entry, error) {
	var all []entry
	for key, value := range values {
		path := append(above[:len(above):len(above)], key)
		n, err := tomlNode(value, path, len(path), lines)
		if err != nil {
			return nil, err
		}
		all = append(all, entry{key, n})
	}
	slices.SortFunc(all, func(a, b entry) int {
		if a.line != b.line {
			return a.line - b.line
		}
		return strings.Compare(a.key, b.key)
	})
	return all, nil
}

// tomlNode turns a decoded value of a key into a node.
func tomlNode(value any, path []string, depth int, lines map[string]int) (n node, err error) {
	n.line = lines[tomlPath(path)]
	if depth > mostDepth {
		return n, fault(n.line, "values are nested too deep")
	}
	switch v := value.(type) {
	case string:
		n.text = v
	case int64:
		n.text = strconv.FormatInt(v, 10)
	case float64:
		n.text = number(v)
	case bool:
		n.text = strconv.FormatBool(v)
	case time.Time:
		n.text = v.Format(time.RFC3339Nano)
	case []any:
		n.kind = list
		for _, item := range v {
			of, err := tomlNode(item, path, depth+1, lines)
			if err != nil {
				return n, err
			}
			n.items = append(n.items, of)
		}
	case map[string]any:
		n.kind = table
		if n.table, err = tomlTable(v, path, lines); n.line == 0 && len(n.table) > 0 {
			n.line = n.table[0].line // of a dotted key
		}
	default: // dates and times without a zone
		n.text = fmt.Sprint(v)
	}
	return n, err
}

// tomlPath is the name of a key in all tables that it stands in.
func tomlPath(keys []string) string { return strings.Join(keys, "\x00") }

// tomlLines returns the line of each key, by its path. The text has been decoded, so it is valid.
func tomlLines(text []byte) map[string]int {
	lines := map[string]int{}
	p := unstable.Parser{}
	p.Reset(text)
	var above []string
	for p.NextExpression() {
		e := p.Expression()
		var keys []string
		offset := 0
		for it := e.Key(); it.Next(); {
			keys, offset = append(keys, string(it.Node().Data)), int(it.Node().Raw.Offset)
		}
		if e.Kind != unstable.KeyValue {
			above = keys
		} else {
			keys = append(above[:len(above):len(above)], keys...)
		}
		if path := tomlPath(keys); lines[path] == 0 {
			lines[path] = 1 + bytes.Count(text[:offset], []byte{'\n'})
		}
	}
	return lines
}

// writeTOML writes the tables behind all other keys, as they belong to the last heading.
func writeTOML(all []entry) ([]byte, error) {
	var b bytes.Buffer
	for _, e := range all {
		if e.kind != table {
			fmt.Fprintf(&b, "%s = %s\n", tomlKey(e.key), tomlText(e.node))
		}
	}
	for _, e := range all {
		if e.kind != table {
			continue
		}
		fmt.Fprintf(&b, "\n[%s]\n", tomlKey(e.key))
		for _, inner := range e.table {
			fmt.Fprintf(&b, "%s = %s\n", tomlKey(inner.key), tomlText(inner.node))
		}
	}
	return b.Bytes(), nil
}

var bareKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

func tomlKey(key string) string {
	if bareKey.MatchString(key) {
		return key
	}
	return tomlString(key)
}

func tomlText(n node) string {
	if n.kind == list {
		var items []string
		for _, item := range n.items {
			items = append(items, tomlText(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	if bare(n.text) {
		return n.text
	}
	return tomlString(n.text)
}

// tomlString is a text in quotes, with the escapes of TOML.
func tomlString(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// bareNumber matches numbers that TOML, YAML and JSON read alike.
var bareNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// mostDigits is how long a number without quotes may be: longer ones may lose digits.
const mostDigits = 15

// bare reports whether a text is written without quotes, since it is read as itself: a switch, or a
// number of few digits.
func bare(text string) bool {
	if text == "true" || text == "false" {
		return true
	}
	if !bareNumber.MatchString(text) || len(text) > mostDigits || strings.HasPrefix(text, "-0") {
		return false
	}
	x, err := strconv.ParseFloat(text, 64)
	return err == nil && (!strings.Contains(text, ".") || number(x) == text)
}
