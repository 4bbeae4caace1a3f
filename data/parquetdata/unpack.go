package parquetdata

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

var errSize = errors.New("it does not unpack to the size that it claims")

// unpack appends to the bytes before it in dst what a page holds. The page must unpack to exactly
// the capacity that dst has left: no codec gets more, whatever its data claims.
func unpack(codec format.CompressionCodec, dst, packed []byte) ([]byte, error) {
	scratch := dst[len(dst):cap(dst)]
	switch codec {
	case format.Uncompressed:
		if len(packed) != len(scratch) {
			return nil, errSize
		}
		copy(scratch, packed)
	case format.Snappy:
		if n, err := snappy.DecodedLen(packed); err != nil || n != len(scratch) {
			return nil, errSize
		}
		if _, err := snappy.Decode(scratch, packed); err != nil {
			return nil, err
		}
	case format.Lz4Raw:
		if n, err := lz4.UncompressBlock(packed, scratch); err != nil || n != len(scratch) {
			return nil, errSize
		}
	case format.Gzip:
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, err
		}
		if err := fill(scratch, z); err != nil {
			return nil, err
		}
	case format.Brotli:
		if err := fill(scratch, brotli.NewReader(bytes.NewReader(packed))); err != nil {
			return nil, err
		}
	case format.Zstd:
		if err := unpackZstd(scratch, packed); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("it is packed by %s, which is unknown here", codec)
	}
	return dst[:cap(dst)], nil
}

// fill reads exactly as many bytes as fit.
func fill(scratch []byte, r io.Reader) error {
	if _, err := io.ReadFull(r, scratch); err != nil {
		return err
	}
	if n, err := io.ReadFull(r, make([]byte, 1)); n > 0 {
		return errSize
	} else if err != io.EOF {
		return err
	}
	return nil
}

// zstdDecoders hold decoders, which are costly to make. None decodes more than fits into its
// destination.
var zstdDecoders = sync.Pool{New: func() any {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true),
		zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return err
	}
	return z
}}

const maxWindow = 128 << 20

func unpackZstd(scratch, packed []byte) error {
	z, is := zstdDecoders.Get().(*zstd.Decoder)
	if !is {
		return errors.New("zstd cannot be decoded")
	}
	defer zstdDecoders.Put(z)
	b, err := z.DecodeAll(packed, scratch[:0])
	if err != nil {
		return err
	}
	if len(b) != len(scratch) {
		return errSize
	}
	return nil
}
