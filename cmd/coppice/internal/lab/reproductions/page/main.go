// Command page writes docs/lab.md, docs/printed.md, the pages in docs/lab and their pictures,
// docs/img/lab-*.svg, of the checkout that is the working directory or around it.
//
//	go run ./cmd/coppice/internal/lab/reproductions/page              # all that take some seconds; other pages stay
//	go run ./cmd/coppice/internal/lab/reproductions/page averages     # those named
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/lab/reproductions"
	"github.com/coppice-ml/coppice/internal/trial"
)

func main() {
	log.SetFlags(0)
	if err := write(context.Background(), os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

// write makes the pages of the reproductions named, nil = all quick ones, and writes the index.
func write(ctx context.Context, names []string) error {
	root, err := trial.Root()
	if err != nil {
		return err
	}
	docs := filepath.Join(root, "docs")
	if len(names) == 0 {
		for _, row := range reproductions.Table() {
			if row.Slow == "" {
				names = append(names, row.Name)
			}
		}
	}
	for _, name := range names {
		row, err := reproductions.ByName(name)
		if err != nil {
			return err
		}
		fmt.Println(name)
		found, err := row.Run(ctx, &reproductions.Env{})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		page, err := reproductions.NewDocument(row, found)
		if err != nil {
			return err
		}
		if err := writePage(docs, row, page); err != nil {
			return err
		}
	}
	pages, err := reproductions.Pages(filepath.Join(docs, "lab"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(docs, "printed.md"),
		[]byte(reproductions.Printed(pages)), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(docs, "lab.md"), []byte(reproductions.Index()), 0o644)
}

func writePage(docs string, row *reproductions.Reproduction, page *reproductions.Document) error {
	for picture, text := range page.Pictures {
		if err := os.WriteFile(filepath.Join(docs, "img", picture), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(docs, "lab", row.PageFile()), []byte(page.Text), 0o644)
}
