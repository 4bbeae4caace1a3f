package stores

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"

	"github.com/coppice-ml/coppice/data"
)

// azure is an account of Azure Blob Storage.
type azure struct {
	client *azblob.Client
	seen   versions
}

const azureAdvice = "check AZURE_STORAGE_CONNECTION_STRING, or AZURE_STORAGE_ACCOUNT with " +
	"AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN, or run az login"

// openAzure connects to the account that the environment names.
func openAzure(context.Context) (data.Store, error) {
	o := &azblob.ClientOptions{ClientOptions: policy.ClientOptions{
		Transport: &http.Client{Transport: newTransport()},
		Retry:     policy.RetryOptions{MaxRetries: -1}, // readers repeat
	}}
	c, err := newAzure(o)
	var known *data.StoreError
	switch {
	case errors.As(err, &known):
		return nil, known
	case err != nil: // its text may hold the key
		return nil, &data.StoreError{Err: fs.ErrPermission,
			Msg: "the credentials cannot be used: " + azureAdvice}
	}
	return &azure{client: c}, nil
}

func newAzure(o *azblob.ClientOptions) (*azblob.Client, error) {
	if whole := os.Getenv("AZURE_STORAGE_CONNECTION_STRING"); whole != "" {
		return azblob.NewClientFromConnectionString(whole, o)
	}
	account := os.Getenv("AZURE_STORAGE_ACCOUNT")
	if account == "" {
		return nil, &data.StoreError{Err: data.ErrOption, Msg: "the account is unknown: set " +
			"AZURE_STORAGE_ACCOUNT or AZURE_STORAGE_CONNECTION_STRING"}
	}
	service := "https://" + account + ".blob.core.windows.net/"
	if key := os.Getenv("AZURE_STORAGE_KEY"); key != "" {
		shared, err := azblob.NewSharedKeyCredential(account, key)
		if err != nil {
			return nil, err
		}
		return azblob.NewClientWithSharedKeyCredential(service, shared, o)
	}
	if token := os.Getenv("AZURE_STORAGE_SAS_TOKEN"); token != "" {
		return azblob.NewClientWithNoCredential(service+"?"+strings.TrimPrefix(token, "?"), o)
	}
	found, err := azidentity.NewDefaultAzureCredential(nil)
	if err != nil {
		return nil, err
	}
	return azblob.NewClient(service, found, o)
}

// splitAzure returns container and blob of a URL.
func splitAzure(url string) (container, name string, err error) {
	container, name, _ = strings.Cut(strings.TrimPrefix(url, "az://"), "/")
	if container == "" {
		return "", "", &data.StoreError{Err: data.ErrOption, Msg: "want az://CONTAINER/BLOB"}
	}
	return container, name, nil
}

// List implements data.Store.
func (s *azure) List(ctx context.Context, prefix string) ([]data.StoredFile, error) {
	container, name, err := splitAzure(prefix)
	if err != nil {
		return nil, err
	}
	var files []data.StoredFile
	pages := s.client.NewListBlobsFlatPager(container,
		&azblob.ListBlobsFlatOptions{Prefix: &name})
	for pages.More() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, azureFault(container, err)
		}
		for _, b := range page.Segment.BlobItems {
			if b.Name == nil || b.Properties == nil || b.Properties.ContentLength == nil {
				continue
			}
			f := data.StoredFile{URL: "az://" + container + "/" + *b.Name,
				Size: *b.Properties.ContentLength}
			if b.Properties.ETag != nil {
				f.Version = string(*b.Properties.ETag)
			}
			err := s.seen.check(f.URL, azureVersion(b.Properties.ETag, b.Properties.LastModified, f.Size))
			if err != nil {
				return nil, err
			}
			files = append(files, f)
		}
	}
	return files, nil
}

// Stat implements data.Store.
func (s *azure) Stat(ctx context.Context, url string) (data.StoredFile, error) {
	container, name, err := splitAzure(url)
	if err != nil {
		return data.StoredFile{}, err
	}
	if name == "" {
		return data.StoredFile{}, &data.StoreError{Msg: "no such file", Err: fs.ErrNotExist}
	}
	p, err := s.client.ServiceClient().NewContainerClient(container).NewBlobClient(name).
		GetProperties(ctx, nil)
	if err != nil {
		return data.StoredFile{}, azureFault(container, err)
	}
	f := data.StoredFile{URL: url, Size: -1}
	if p.ContentLength != nil {
		f.Size = *p.ContentLength
	}
	if p.ETag != nil {
		f.Version = string(*p.ETag)
	}
	return f, s.seen.check(url, azureVersion(p.ETag, p.LastModified, f.Size))
}

// azureVersion returns the version of a blob, of which an answer may not have all.
func azureVersion(tag *azcore.ETag, modified *time.Time, size int64) version {
	v := version{size: size}
	if tag != nil {
		v.tag = string(*tag)
	}
	if modified == nil {
		modified = &time.Time{}
	}
	return newVersion(v.tag, *modified, size)
}

// Open implements data.Store.
func (s *azure) Open(
	ctx context.Context, f data.StoredFile, at, size int64,
) (io.ReadCloser, error) {
	container, name, err := splitAzure(f.URL)
	if err != nil {
		return nil, err
	}
	o := &azblob.DownloadStreamOptions{Range: azblob.HTTPRange{Offset: at, Count: max(size, 0)}}
	if f.Version != "" {
		tag := azcore.ETag(f.Version)
		if !strings.HasPrefix(f.Version, `"`) { // lists have it without quotes
			tag = azcore.ETag(`"` + f.Version + `"`)
		}
		o.AccessConditions = &blob.AccessConditions{
			ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfMatch: &tag}}
	}
	r, err := s.client.DownloadStream(ctx, container, name, o)
	if err != nil {
		return nil, azureFault(container, err)
	}
	whole := int64(-1)
	if r.ContentLength != nil {
		whole = *r.ContentLength
	}
	if r.ContentRange != nil || at > 0 || size > 0 {
		ranges := ""
		if r.ContentRange != nil {
			ranges = *r.ContentRange
		}
		whole, err = rangeOf(ranges, at)
	}
	if changed := s.seen.check(f.URL, azureVersion(r.ETag, r.LastModified, whole)); changed != nil {
		err = changed
	}
	if err != nil {
		r.Body.Close()
		return nil, err
	}
	return r.Body, nil
}

// azureFault explains an error of the service or of the way to it.
func azureFault(container string, err error) error {
	var r *azcore.ResponseError
	if !errors.As(err, &r) {
		var login *azidentity.AuthenticationFailedError
		if errors.As(err, &login) || strings.Contains(err.Error(), "DefaultAzureCredential") {
			return &data.StoreError{Err: fs.ErrPermission,
				Msg: "access is denied (no credentials were found): " + azureAdvice}
		}
		return unreachable(err)
	}
	if bloberror.HasCode(err, bloberror.ContainerNotFound) {
		return &data.StoreError{Msg: fmt.Sprintf("there is no container %q", container),
			Err: fs.ErrNotExist}
	}
	return answer(r.StatusCode, r.ErrorCode, azureAdvice, err)
}
