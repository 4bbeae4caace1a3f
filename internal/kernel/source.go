package kernel

import (
	_ "embed" // of the files below
	"strings"
)

//go:embed exp.go
var expFile string

//go:embed exptable.go
var expTableFile string

// ExpSource returns the declarations of the function exp(x float64) float64, which has the bits of
// Exp, in Go that needs the package math. Generated programs contain it.
func ExpSource() string {
	_, code, _ := strings.Cut(expFile, "import \"math\"\n")
	_, table, _ := strings.Cut(expTableFile, "package kernel\n")
	code = strings.ReplaceAll(code, "// Exp returns", "// exp returns")
	return strings.ReplaceAll(code, "func Exp(", "func exp(") + table
}
