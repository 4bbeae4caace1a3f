package xlsxdata

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// day is a date as a number of days since 1900, in the style of dates.
type day float64

// formula is the value of a formula.
type formula string

// book returns a workbook of sheets, each of which has a name, with rows of cells: numbers, days,
// texts, truth values, errors (as errors) and nil.
func book(t testing.TB, sheets ...any) []byte {
	t.Helper()
	var list, rels strings.Builder
	parts := map[string]string{
		"[Content_Types].xml": `<Types/>`,
		"xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-409]dd\ mmm&quot;x&quot;"/></numFmts>` +
			`<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="46"/></cellXfs></styleSheet>`,
		"xl/sharedStrings.xml": `<sst><si><t>shared</t></si><si><r><t>ri</t></r><r><t xml:space="preserve">ch </t></r><rPh><t>zz</t></rPh></si></sst>`,
	}
	for i := 0; i < len(sheets); i += 2 {
		n := i/2 + 1
		fmt.Fprintf(&list, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, sheets[i], n, n)
		fmt.Fprintf(&rels, `<Relationship Id="rId%d" Target="worksheets/sheet%d.xml"/>`, n, n)
		parts[fmt.Sprintf("xl/worksheets/sheet%d.xml", n)] = `<worksheet xmlns="x"><sheetData>` + rowsOf(sheets[i+1].([][]any)) + `</sheetData></worksheet>`
	}
	parts["xl/workbook.xml"] = `<workbook xmlns:r="y"><workbookPr/><sheets>` + list.String() + `</sheets></workbook>`
	parts["xl/_rels/workbook.xml.rels"] = `<Relationships>` + rels.String() + `</Relationships>`
	return archived(t, parts)
}

func archived(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	names := []string{"[Content_Types].xml"}
	for name := range parts {
		if name != names[0] {
			names = append(names, name)
		}
	}
	for _, name := range names {
		f, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(f, parts[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;")

func rowsOf(rows [][]any) string {
	var b strings.Builder
	for i, row := range rows {
		if row == nil {
			continue
		}
		fmt.Fprintf(&b, `<row r="%d">`, i+1)
		for j, v := range row {
			at := fmt.Sprintf(`r="%c%d"`, 'A'+j, i+1)
			switch v := v.(type) {
			case nil:
			case day:
				fmt.Fprintf(&b, `<c %s s="%d"><v>%v</v></c>`, at, 1+j%2, float64(v))
			case formula:
				fmt.Fprintf(&b, `<c %s t="str"><f>A1&amp;"x"</f><v>%s</v></c>`, at, v)
			case bool:
				fmt.Fprintf(&b, `<c %s t="b"><v>%d</v></c>`, at, map[bool]int{true: 1}[v])
			case error:
				fmt.Fprintf(&b, `<c %s t="e"><v>%v</v></c>`, at, v)
			case string:
				fmt.Fprintf(&b, `<c %s t="inlineStr"><is><t>%s</t></is></c>`, at, escape.Replace(v))
			case []int: // a shared text
				fmt.Fprintf(&b, `<c %s t="s"><v>%d</v></c>`, at, v[0])
			default:
				fmt.Fprintf(&b, `<c %s><v>%v</v></c>`, at, v)
			}
		}
		b.WriteString(`<c r="Z9"/></row>`)
	}
	return b.String()
}
