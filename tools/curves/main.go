// Command curves draws the curves of textbooks again, by the public packages of Coppice. It takes
// the name of one of its experiments:
//
//	go run -C tools ./curves leaves
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/coppice-ml/coppice/report/plot"
)

// result is what an experiment found.
type result interface {
	Print(w io.Writer)    // as a table
	Figure() *plot.Figure // as a picture
}

// experiments are the curves by name, each at its full size.
var experiments = map[string]func(context.Context) (result, error){
	"importance": func(ctx context.Context) (result, error) { return runImportance(ctx, allImportance) },
	"leaves":     func(ctx context.Context) (result, error) { return runLeaves(ctx, allLeaves) },
	"neighbours": func(ctx context.Context) (result, error) { return runNeighbours(ctx, allNeighbours) },
	"outofbag":   func(ctx context.Context) (result, error) { return runOutOfBag(ctx, allOutOfBag) },
	"stability":  func(ctx context.Context) (result, error) { return runStability(ctx, allStability) },
}

func main() {
	log.SetFlags(0)
	if err := run(context.Background(), os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

// run prints the table of an experiment and writes its picture to tools/curves/NAME.svg of the
// checkout that is the working directory or around it.
func run(ctx context.Context, args []string) error {
	if len(args) != 1 || experiments[args[0]] == nil {
		names := slices.Sorted(maps.Keys(experiments))
		return fmt.Errorf("curves takes the name of one experiment: %s", strings.Join(names, ", "))
	}
	root, err := checkout()
	if err != nil {
		return err
	}
	found, err := experiments[args[0]](ctx)
	if err != nil {
		return err
	}
	table, picture, err := render(found)
	if err != nil {
		return err
	}
	file := filepath.Join(root, "tools", "curves", args[0]+".svg")
	if err := os.WriteFile(file, picture, 0o644); err != nil {
		return err
	}
	fmt.Printf("%s\nThe picture is %s\n", table, file)
	return nil
}

// render returns the table and the picture of a result.
func render(r result) (table string, picture []byte, err error) {
	var text, image bytes.Buffer
	r.Print(&text)
	err = r.Figure().Write(&image)
	return text.String(), image.Bytes(), err
}

// newTable returns a writer that sets its input in columns: cells end in a tab and stand at the
// right. Flush it at the end.
func newTable(w io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
}
