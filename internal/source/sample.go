package source

import "context"

// The least bytes of a text that estimate its rows, and of one that is compressed, as stored:
// buffers hold some kilobytes of it that were not unpacked yet.
const (
	sampleBytes  = 1 << 18
	packedSample = 1 << 16
)

// EstimateRows returns about how many rows a text has, by its first lines and the size of the
// source. A function reports which lines are rows.
func (s *Source) EstimateRows(
	ctx context.Context, format string, isRow func(line []byte) bool,
) (rows int64, err error) {
	text, err := s.OpenText(ctx, format)
	if err != nil {
		return 0, err
	}
	defer text.Close()
	lines := text.Lines(format)
	read, inRows := int64(0), int64(0) // bytes of the text
	packed := text.Packed() != ""
	for read < sampleBytes || packed && text.Stored() < packedSample || rows == 0 {
		line, err := lines.Next()
		if err != nil {
			return 0, err
		}
		if line == nil {
			return rows, nil
		}
		length := int64(len(line)) + 1
		if read += length; isRow(line) {
			rows++
			inRows += length
		}
	}
	whole := float64(s.Size)
	if packed {
		whole *= float64(read) / float64(max(text.Stored(), 1))
	}
	return int64((whole - float64(read-inRows)) * float64(rows) / float64(inRows)), nil
}
