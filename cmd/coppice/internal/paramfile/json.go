package paramfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
)

// jsonReader reads tokens of JSON and counts lines.
type jsonReader struct {
	text []byte
	d    *json.Decoder
	line int
	at   int // how much of the text the line counts
}

func parseJSON(text []byte) ([]entry, error) {
	if err := jsonFault(text, new(any)); err != nil {
		return nil, err
	}
	r := &jsonReader{text: text, d: json.NewDecoder(bytes.NewReader(text)), line: 1}
	r.d.UseNumber()
	top, err := r.value(0)
	if err == nil && top.kind != table {
		err = fault(1, "want an object: {\"label\": \"species\", \"set\": {\"trees\": 100}}")
	}
	return top.table, err
}

// jsonFault returns what is wrong with a text as JSON, with its line.
func jsonFault(text []byte, into any) error {
	err := json.Unmarshal(text, into)
	var wrong *json.SyntaxError
	if !errors.As(err, &wrong) {
		return err
	}
	before := text[:min(int(wrong.Offset), len(text))]
	return fault(1+bytes.Count(before, []byte{'\n'}), "it is no JSON: %v", wrong)
}

// value reads the next value.
func (r *jsonReader) value(depth int) (node, error) {
	token, err := r.d.Token()
	if err != nil {
		return node{}, err
	}
	n := node{line: r.lineAt(int(r.d.InputOffset()))}
	if depth > mostDepth {
		return n, fault(n.line, "values are nested too deep")
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '[' {
			n.kind = list
			err = r.list(&n, depth)
		} else {
			n.kind = table
			err = r.object(&n, depth)
		}
	case string:
		n.text = t
	case json.Number:
		n.text = t.String()
	case bool:
		n.text = map[bool]string{true: "true", false: "false"}[t]
	case nil:
		n.kind = null
	}
	return n, err
}

func (r *jsonReader) list(n *node, depth int) error {
	for r.d.More() {
		item, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		n.items = append(n.items, item)
	}
	_, err := r.d.Token()
	return err
}

func (r *jsonReader) object(n *node, depth int) error {
	for r.d.More() {
		token, err := r.d.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string) // the decoder lets nothing else be a key
		line := r.lineAt(int(r.d.InputOffset()))
		item, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(n.table, func(e entry) bool { return e.key == key }); i >= 0 {
			return twice(key, n.table[i].line, line)
		}
		item.line = line
		n.table = append(n.table, entry{key, item})
	}
	_, err := r.d.Token()
	return err
}

// lineAt returns the line of an offset, which never falls.
func (r *jsonReader) lineAt(offset int) int {
	r.line += bytes.Count(r.text[r.at:offset], []byte{'\n'})
	r.at = offset
	return r.line
}

// writeJSON writes numbers and switches without quotes where bare allows it, all else as texts.
func writeJSON(all []entry) ([]byte, error) {
	var b bytes.Buffer
	err := writeJSONTable(&b, all, "")
	b.WriteString("\n")
	return b.Bytes(), err
}

func writeJSONTable(w *bytes.Buffer, all []entry, indent string) error {
	if len(all) == 0 {
		w.WriteString("{}")
		return nil
	}
	for i, e := range all {
		w.WriteString(map[bool]string{true: "{\n", false: ",\n"}[i == 0] + indent + "  ")
		if err := writeJSONValue(w, e.key); err != nil {
			return err
		}
		w.WriteString(": ")
		if err := writeJSONNode(w, e.node, indent+"  "); err != nil {
			return err
		}
	}
	w.WriteString("\n" + indent + "}")
	return nil
}

func writeJSONNode(w *bytes.Buffer, n node, indent string) error {
	switch {
	case n.kind == table:
		return writeJSONTable(w, n.table, indent)
	case n.kind == list:
		w.WriteString("[")
		for i, item := range n.items {
			if i > 0 {
				w.WriteString(", ")
			}
			if err := writeJSONNode(w, item, indent); err != nil {
				return err
			}
		}
		w.WriteString("]")
		return nil
	case bare(n.text) && json.Valid([]byte(n.text)):
		w.WriteString(n.text)
		return nil
	}
	return writeJSONValue(w, n.text)
}

func writeJSONValue(w io.Writer, text string) error {
	e := json.NewEncoder(noLineEnd{w})
	e.SetEscapeHTML(false)
	return e.Encode(text)
}

// noLineEnd leaves out the end of the line that the encoder of JSON adds.
type noLineEnd struct{ io.Writer }

func (w noLineEnd) Write(b []byte) (int, error) {
	_, err := io.WriteString(w.Writer, strings.TrimSuffix(string(b), "\n"))
	return len(b), err
}
