package jsontext_test

import (
	"testing"

	"github.com/coppice-ml/coppice/internal/jsontext"
)

// TestWalker walks over each kind of token, with blanks behind it.
func TestWalker(t *testing.T) {
	w := jsontext.Walker{Text: []byte("{ \"a\\n\\u00e9\" : -1.5e3 ,\n\"b\":{\"c\": [1, \"}\"]} , null}")}
	if !w.Take('{') || w.Take('[') {
		t.Fatal(w.At)
	}
	quoted, ok := w.Quoted()
	text, valid := jsontext.Unquote(quoted, nil)
	if !ok || !valid || string(text) != "a\né" {
		t.Errorf("text %q", text)
	}
	if !w.Take(':') || string(w.Word()) != "-1.5e3" || !w.Take(',') {
		t.Errorf("at %d", w.At)
	}
	quoted, _ = w.Quoted()
	if text, _ := jsontext.Unquote(quoted, nil); string(text) != "b" || !w.Take(':') || w.Nested() != nil || !w.Take(',') {
		t.Errorf("at %d", w.At)
	}
	if string(w.Word()) != "null" || w.Next() != '}' || !w.Take('}') || !w.Ended() || w.Next() != 0 {
		t.Errorf("at %d", w.At)
	}
}

// TestNoTexts: what is no text is not moved over.
func TestNoTexts(t *testing.T) {
	for _, text := range []string{"", "a", `"a`, `"a\"`, "\"a\nb\"", `"\`} {
		w := jsontext.Walker{Text: []byte(text)}
		if _, ok := w.Quoted(); ok || w.At != 0 {
			t.Errorf("%q is a text, at %d", text, w.At)
		}
	}
	for _, text := range []string{"\"\xff\"", `"\q"`, `"\ud8"`, `"\ud800"`, `"\udc00\ud800"`, `"\ud800\u0041"`,
		`"\ud83d\ude00\ud83d"`, `"\\\ud83dx"`} {
		if got, ok := jsontext.Unquote([]byte(text), nil); ok {
			t.Errorf("%q means %q", text, got)
		}
	}
	for text, want := range map[string]string{`"\ud83d\ude00"`: "\U0001F600", `"\\ud800"`: `\ud800`, `"\ufffd"`: "\uFFFD"} {
		if got, ok := jsontext.Unquote([]byte(text), nil); !ok || string(got) != want {
			t.Errorf("%q means %q, want %q", text, got, want)
		}
	}
	w := jsontext.Walker{Text: []byte(`{"a":`)}
	if w.Nested() == nil || w.At != 0 {
		t.Errorf("at %d", w.At)
	}
}
