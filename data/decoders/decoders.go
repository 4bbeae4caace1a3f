// Package decoders owns the decompression of text by a module that most programs do not need: zstd,
// and gzip at 1.6 times the speed of the standard library.
//
//	o := data.ReadOptions{Decoders: decoders.New()}
//	f, err := csvdata.Open(csvdata.Options{ReadOptions: o}, "sales.csv.zst").Frame(ctx)
package decoders

import (
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/coppice-ml/coppice/data"
)

// maxWindow is how far back zstd data may refer, in bytes: as for zstd -d without further options.
const maxWindow = 128 << 20

// New returns the decoders of zstd and gzip. That of zstd holds at most 128 MiB of the text.
func New() []data.Decoder {
	return []data.Decoder{
		{Name: "zstd", Magic: "\x28\xb5\x2f\xfd", Open: func(r io.Reader) (io.ReadCloser, error) {
			z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1),
				zstd.WithDecoderMaxWindow(maxWindow))
			if err != nil {
				return nil, err
			}
			return z.IOReadCloser(), nil
		}},
		{Name: "gzip", Magic: "\x1f\x8b", Open: func(r io.Reader) (io.ReadCloser, error) {
			return gzip.NewReader(r)
		}},
	}
}
