// Package experiment owns what the examples have in common: how each is run, where its picture
// goes, how its table is set, and how it trains on a table of the project.
package experiment

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/report/plot"
)

// Result is what an example found.
type Result interface {
	Print(w io.Writer)    // as a table
	Figure() *plot.Figure // as a picture
}

// Main is the main function of the example of a name: it runs it, prints the table and writes the
// picture to examples/NAME/NAME.svg of the checkout that is the working directory or around it. It
// ends the program on errors.
func Main(name string, run func(context.Context) (Result, error)) {
	log.SetFlags(0)
	root, err := trial.Root()
	if err != nil {
		log.Fatal(err)
	}
	found, err := run(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	table, picture, err := Render(found)
	if err != nil {
		log.Fatal(err)
	}
	file := filepath.Join(root, "examples", name, name+".svg")
	if err := os.WriteFile(file, picture, 0o644); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\nThe picture is %s\n", table, file)
}

// Render returns the table and the picture of a result.
func Render(r Result) (table string, picture []byte, err error) {
	var text, image bytes.Buffer
	r.Print(&text)
	err = r.Figure().Write(&image)
	return text.String(), image.Bytes(), err
}

// Table returns a writer that sets its input in columns: cells end in a tab and stand at the right.
// Flush it at the end.
func Table(w io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
}
