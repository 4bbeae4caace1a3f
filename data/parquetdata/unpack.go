package parquetdata

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
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
	case format.Lz4:
		if err := unpackHadoop(scratch, packed); err != nil {
			return nil, err
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

// unpackHadoop unpacks the older form of LZ4, of which the format says nothing: Hadoop's frames, or
// as older programs in C++ wrote a block without them.
//
//	size of what follows | size of a block | block | size of a block | block ...    and so on
func unpackHadoop(scratch, packed []byte) error {
	if hadoopFrames(scratch, packed) {
		return nil
	}
	if n, err := lz4.UncompressBlock(packed, scratch); err != nil || n != len(scratch) {
		return errSize
	}
	return nil
}

// hadoopFrames unpacks frames, whose sizes have their highest byte first. It reports whether the
// bytes are such and fill the memory.
func hadoopFrames(scratch, packed []byte) bool {
	size := func() (int, bool) {
		if len(packed) < 4 {
			return 0, false
		}
		n := binary.BigEndian.Uint32(packed)
		packed = packed[4:]
		return int(n), n <= math.MaxInt32
	}
	for len(packed) > 0 {
		frame, ok := size()
		if !ok || frame > len(scratch) {
			return false
		}
		for frame > 0 {
			block, ok := size()
			if !ok || block == 0 || block > len(packed) {
				return false
			}
			n, err := lz4.UncompressBlock(packed[:block], scratch[:frame])
			if err != nil || n == 0 {
				return false
			}
			packed, scratch, frame = packed[block:], scratch[n:], frame-n
		}
	}
	return len(scratch) == 0
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
