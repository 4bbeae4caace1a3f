package report

import "testing"

// Texts and values of attributes are escaped, pieces are not, and empty attributes are left out.
func TestElementsEscape(t *testing.T) {
	got := el("p", class(`"><script>`), attr{"title", ""}, "a < b & 'c'", el("b", "</b>"),
		[]piece{"<i></i>"})
	want := piece(`<p class="&#34;&gt;&lt;script&gt;">a &lt; b &amp; &#39;c&#39;<b>&lt;/b&gt;</b><i></i></p>`)
	if got != want {
		t.Errorf("the element is %s, want %s", got, want)
	}
}
