package paramfile

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

func parseYAML(text []byte) ([]entry, error) {
	var document yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(text))
	switch err := d.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil, nil // an empty file
	case err != nil:
		return nil, yamlFault(err)
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, fault(0, "want one document, and there are more, separated by ---")
	}
	top, err := yamlNode(document.Content[0], 0)
	if err == nil && top.kind != table {
		err = fault(top.line, "want lines of KEY: VALUE, such as label: species")
	}
	return top.table, err
}

var yamlLine = regexp.MustCompile(`^yaml: line (\d+): `)

// yamlFault takes the line out of an error of the decoder.
func yamlFault(err error) error {
	what := err.Error()
	line := 0
	if m := yamlLine.FindStringSubmatch(what); m != nil {
		line, _ = strconv.Atoi(m[1]) // it is digits
		what = what[len(m[0]):]
	}
	return fault(line, "it is no YAML: %s", strings.TrimPrefix(what, "yaml: "))
}

func yamlNode(from *yaml.Node, depth int) (node, error) {
	n := node{line: from.Line, text: from.Value}
	if depth > mostDepth {
		return n, fault(n.line, "values are nested too deep")
	}
	switch from.Kind {
	case yaml.ScalarNode:
		if from.Tag == "!!null" {
			n.kind = null
		}
		return n, nil
	case yaml.SequenceNode:
		n.kind = list
		for _, c := range from.Content {
			item, err := yamlNode(c, depth+1)
			if err != nil {
				return n, err
			}
			n.items = append(n.items, item)
		}
		return n, nil
	case yaml.MappingNode:
		n.kind = table
		return n, yamlTable(&n, from.Content, depth)
	}
	return n, fault(n.line, "aliases such as *name are not read: write the value")
}

// yamlTable reads the keys and values of a mapping, which follow each other.
func yamlTable(n *node, content []*yaml.Node, depth int) error {
	for i := 0; i+1 < len(content); i += 2 {
		key, item := content[i], node{}
		if key.Kind != yaml.ScalarNode {
			return fault(key.Line, "a key must be a name")
		}
		item, err := yamlNode(content[i+1], depth+1)
		if err != nil {
			return err
		}
		item.line = key.Line
		if i := slices.IndexFunc(n.table, func(e entry) bool { return e.key == key.Value }); i >= 0 {
			return twice(key.Value, n.table[i].line, key.Line)
		}
		n.table = append(n.table, entry{key.Value, item})
	}
	return nil
}

func writeYAML(all []entry) ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	err := e.Encode(yamlMapping(all))
	return b.Bytes(), errors.Join(err, e.Close())
}

func yamlMapping(all []entry) *yaml.Node {
	m := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, e := range all {
		m.Content = append(m.Content, yamlText(e.key), yamlValue(e.node))
	}
	return m
}

func yamlValue(n node) *yaml.Node {
	switch {
	case n.kind == table:
		return yamlMapping(n.table)
	case n.kind == list:
		l := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: yaml.FlowStyle}
		for _, item := range n.items {
			l.Content = append(l.Content, yamlValue(item))
		}
		return l
	case bare(n.text):
		return &yaml.Node{Kind: yaml.ScalarNode, Value: n.text}
	}
	return yamlText(n.text)
}

// yamlText is a text, which the encoder puts in quotes where it would read as something else. Of
// several lines it makes a block, which nobody can read back if it begins with a tab.
func yamlText(text string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	if strings.ContainsFunc(text, unicode.IsControl) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}
