package predict

import (
	"bufio"
	"io"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/databases"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/parquetdata"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// columns returns the columns of the output with their kinds.
func (w *predictionWriter) columns() []databases.Column {
	var columns []databases.Column
	if kept := w.kept(w.parts.First); kept != nil {
		for i := range kept.Schema.Fields {
			f := &kept.Schema.Fields[i]
			columns = append(columns, databases.Column{Name: f.Name,
				Kind: databases.KindOf(f.Levels)})
		}
	}
	predicted := len(w.header) - len(reasonKinds)*w.most
	if w.flagged {
		predicted--
	}
	for i, name := range w.header {
		kind := databases.Float
		switch {
		case w.flagged && i == len(w.header)-1:
			kind = databases.Text
		case i >= predicted:
			kind = reasonKinds[(i-predicted)%len(reasonKinds)]
		case w.label && i == 0:
			kind = databases.Text
		case w.output == model.Leaf:
			kind = databases.Integer
		}
		columns = append(columns, databases.Column{Name: name, Kind: kind})
	}
	return columns
}

// isParquet reports whether a file is written as Parquet, by its name.
func isParquet(path string) bool {
	return slices.ContainsFunc(parquetdata.Suffixes,
		func(suffix string) bool { return strings.HasSuffix(path, suffix) })
}

// writeParquet writes a Parquet file. produce gets a function that adds a row, of which "" is null.
func writeParquet(
	out io.Writer, columns []databases.Column, produce func(add func([]string) error) error,
) error {
	if text, is := out.(*humanize.Writer); is {
		var err error
		if out, err = text.Exact(); err != nil {
			return err
		}
	}
	var typed []parquetdata.Column
	for _, c := range columns {
		own := parquetdata.Column{Name: c.Name, Integer: c.Kind == databases.Integer}
		if c.Kind == databases.Text {
			own.Kind = data.Categorical
		}
		typed = append(typed, own)
	}
	buffer := bufio.NewWriterSize(out, 1<<16)
	file := parquetdata.NewWriter(buffer, typed)
	if err := produce(file.Write); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return buffer.Flush()
}
