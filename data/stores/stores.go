// Package stores owns the reading of tables from object stores and web servers: s3://, gs://,
// az://, https:// and http://. Its stores go into data.ReadOptions.Stores:
//
//	o := data.ReadOptions{Stores: stores.New()}
//	f, err := parquetdata.Open(o, "s3://bucket/sales/*.parquet").Frame(ctx)
//
// Only bytes that are needed are fetched, where the format lets readers know which. Credentials
// come from the environment, as the tools of each service expect:
//
//   - s3://bucket/key: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or
//     AWS_PROFILE of ~/.aws/credentials, or the role of the machine, of the container or of
//     AWS_WEB_IDENTITY_TOKEN_FILE; AWS_REGION; AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL for other
//     services with the interface of S3
//   - gs://bucket/object: GOOGLE_APPLICATION_CREDENTIALS, or those of gcloud, or the account of the
//     machine; STORAGE_EMULATOR_HOST for an emulator
//   - az://container/blob: AZURE_STORAGE_CONNECTION_STRING; or AZURE_STORAGE_ACCOUNT with
//     AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN, or what azidentity finds (AZURE_CLIENT_ID and
//     others, workload and managed identities, the command az)
//   - https://host/file: what stands in the URL
//
// Without credentials a request is anonymous, as public buckets allow.
package stores

import (
	"context"
	"io"
	"net/http"
	"sync"

	"github.com/coppice-ml/coppice/data"
)

// New returns the stores by their schemes. They connect when they are used. They are for one
// reading: a file of which a later answer is about another version is refused.
func New() map[string]data.Store {
	web := &web{client: &http.Client{Transport: newTransport()}}
	all := map[string]data.Store{"http": web, "https": web}
	for scheme, open := range map[string]func(context.Context) (data.Store, error){
		"s3": openS3, "gs": openGoogle, "az": openAzure,
	} {
		all[scheme] = &remembering{open: open}
	}
	return all
}

// remembering opens a store when it is first used. It remembers the files that were listed, so that
// finding them takes no further requests.
type remembering struct {
	open  func(context.Context) (data.Store, error)
	mutex sync.Mutex
	store data.Store
	known map[string]data.StoredFile
}

func (r *remembering) get(ctx context.Context) (data.Store, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.store == nil {
		s, err := r.open(ctx)
		if err != nil {
			return nil, err
		}
		r.store, r.known = s, map[string]data.StoredFile{}
	}
	return r.store, nil
}

func (r *remembering) remember(files ...data.StoredFile) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, f := range files {
		r.known[f.URL] = f
	}
}

// List implements data.Store.
func (r *remembering) List(ctx context.Context, prefix string) ([]data.StoredFile, error) {
	s, err := r.get(ctx)
	if err != nil {
		return nil, err
	}
	files, err := s.List(ctx, prefix)
	r.remember(files...)
	return files, err
}

// Stat implements data.Store.
func (r *remembering) Stat(ctx context.Context, url string) (data.StoredFile, error) {
	s, err := r.get(ctx)
	if err != nil {
		return data.StoredFile{}, err
	}
	r.mutex.Lock()
	f, known := r.known[url]
	r.mutex.Unlock()
	if known {
		return f, nil
	}
	if f, err = s.Stat(ctx, url); err == nil {
		r.remember(f)
	}
	return f, err
}

// Open implements data.Store.
func (r *remembering) Open(
	ctx context.Context, f data.StoredFile, at, size int64,
) (io.ReadCloser, error) {
	s, err := r.get(ctx)
	if err != nil {
		return nil, err
	}
	return s.Open(ctx, f, at, size)
}
