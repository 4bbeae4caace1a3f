package serve

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/stores"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/replace"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/memory"
)

// remotes are models of object stores and web servers. Each has a copy in a folder, which is served
// like any other file.
type remotes struct {
	folder string // "" = there are none
	all    []*remote
	mu     sync.Mutex // of refresh
}

// remote is a model at an address.
type remote struct {
	address string    // without its checksum
	want    []byte    // the SHA-256 that the file has to have; nil: any
	path    string    // of the copy
	version string    // of the copy, as the store has it; "" = it has none
	sum     []byte    // of the copy
	looked  time.Time // when the store was last asked
}

// withoutVersion is how long a file is not looked at again whose store has no versions: it has to
// be fetched to know whether it changed.
const withoutVersion = time.Minute

// open fetches the models among some paths that are addresses, and returns the paths with those of
// their copies. A checksum may stand behind an address, as #sha256=HEX.
func (r *remotes) open(ctx context.Context, paths []string) ([]string, error) {
	var local []string
	for i, p := range paths {
		if !source.IsURL(p) {
			local = append(local, p)
			continue
		}
		one := &remote{}
		sum, given := "", false
		if one.address, sum, given = strings.Cut(p, "#sha256="); given {
			var err error
			if one.want, err = hex.DecodeString(sum); err != nil || len(one.want) != sha256.Size {
				return nil, cli.Misusef("%s: want 64 digits behind #sha256=, as sha256sum prints them",
					source.Shown(p))
			}
		}
		u, err := url.Parse(one.address)
		if err != nil || path.Base(u.Path) == "." || strings.HasSuffix(u.Path, "/") {
			return nil, cli.Misusef("%s: want the address of a model file", source.Shown(p))
		}
		if r.folder == "" {
			if r.folder, err = outside.MakeTemporaryFolder("coppice-serve-*"); err != nil {
				return nil, err
			}
		}
		folder := filepath.Join(r.folder, strconv.Itoa(i))
		if err := outside.MakeFolder(folder); err != nil {
			return nil, err
		}
		one.path = filepath.Join(folder, path.Base(u.Path))
		if err := one.fetch(ctx); err != nil {
			return nil, err
		}
		r.all, local = append(r.all, one), append(local, one.path)
	}
	return local, nil
}

// close removes the copies.
func (r *remotes) close() {
	if r.folder != "" {
		_ = outside.RemoveFolder(r.folder) // of temporary files
	}
}

// refresh fetches what has changed, and returns the first error: the copies before stay.
func (r *remotes) refresh(ctx context.Context) (first error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range r.all {
		if err := one.fetch(ctx); err != nil && first == nil && ctx.Err() == nil {
			first = err
		}
	}
	return first
}

// shown returns the address of a copy, else the path.
func (r *remotes) shown(path string) string {
	for _, one := range r.all {
		if one.path == path {
			return source.Shown(one.address)
		}
	}
	return path
}

// atOnce is how many bytes of a model are requested at a time.
const atOnce = 4 << 20

// errSame ends the writing of a copy that has the bytes of the one before.
var errSame = errors.New("the file is the same")

// fetch makes the copy anew if the file is another one than before. One of the right checksum
// stays.
func (r *remote) fetch(ctx context.Context) error {
	if r.sum != nil && (r.want != nil || r.version == "" && outside.Since(r.looked) < withoutVersion) {
		return nil
	}
	all := stores.New() // they take a file for the same as long as they live
	scheme, _, _ := strings.Cut(r.address, "://")
	store := all[scheme]
	if store == nil {
		return cli.Misusef("%s: models are read from s3, gs, az, https and http",
			source.Shown(r.address))
	}
	r.looked = outside.Now()
	now, err := store.Stat(ctx, r.address) // its error is that of what follows, which tries again
	if err == nil && r.version != "" && now.Version == r.version {
		return nil
	}
	found, err := source.All(ctx, &data.ReadOptions{Stores: all, Memory: memory.Default()},
		[]string{r.address}, nil, true)
	if err != nil {
		return err
	}
	in, err := found[0].Open(ctx)
	if err != nil {
		return err
	}
	defer in.Close()
	hash := sha256.New()
	err = replace.File(r.path, func(w io.Writer) error {
		if _, err := io.CopyBuffer(io.MultiWriter(w, hash), in, make([]byte, atOnce)); err != nil {
			return err
		}
		switch sum := hash.Sum(nil); {
		case r.want != nil && !bytes.Equal(sum, r.want):
			return fmt.Errorf("%s: the SHA-256 is %x, and is to be %x", source.Shown(r.address), sum, r.want)
		case bytes.Equal(sum, r.sum):
			return errSame
		default:
			r.sum = sum
		}
		return nil
	})
	if errors.Is(err, errSame) {
		err = nil
	}
	if err == nil {
		r.version = now.Version
	}
	return err
}
