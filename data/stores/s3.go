package stores

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"

	"github.com/coppice-ml/coppice/data"
)

// buckets is a service with the interface of S3.
type buckets struct {
	core   minio.Core
	scheme string
	advice string // about credentials
	seen   versions
}

// openS3 connects to S3, or to the service that the environment names in its place.
func openS3(context.Context) (data.Store, error) {
	o := &minio.Options{Secure: true, Transport: newTransport(), Creds: awsCredentials(),
		Region: first(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"))}
	host := "s3.amazonaws.com"
	if at := first(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL")); at != "" {
		u, err := url.Parse(at)
		if err != nil || u.Host == "" {
			return nil, &data.StoreError{Msg: "AWS_ENDPOINT_URL is no URL",
				Err: data.ErrOption}
		}
		host, o.Secure, o.BucketLookup = u.Host, u.Scheme != "http", minio.BucketLookupPath
		o.Region = first(o.Region, "us-east-1")
	}
	return newBuckets("s3", host, o,
		"check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE")
}

// awsCredentials finds those of the environment; without any, requests are anonymous.
func awsCredentials() *credentials.Credentials {
	chain := []credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}
	if !strings.EqualFold(os.Getenv("AWS_EC2_METADATA_DISABLED"), "true") {
		chain = append(chain, &credentials.IAM{Client: &http.Client{Timeout: 3 * time.Second,
			Transport: newTransport()}})
	}
	return credentials.NewChainCredentials(chain)
}

// openGoogle connects to Google Cloud Storage by the interface that it has in common with S3.
// Tokens take the place of S3's signatures.
func openGoogle(ctx context.Context) (data.Store, error) {
	o := &minio.Options{Secure: true, Region: "auto", BucketLookup: minio.BucketLookupPath,
		Creds: credentials.NewStatic("", "", "", credentials.SignatureAnonymous)}
	host := "storage.googleapis.com"
	plain := newTransport()
	o.Transport = plain
	if at := os.Getenv("STORAGE_EMULATOR_HOST"); at != "" {
		scheme, rest, ok := strings.Cut(at, "://")
		if !ok {
			scheme, rest = "http", at
		}
		host, o.Secure = strings.TrimSuffix(rest, "/"), scheme == "https"
	} else if found, err := google.FindDefaultCredentials(context.WithoutCancel(ctx),
		"https://www.googleapis.com/auth/devstorage.read_only"); err == nil {
		o.Transport = &oauth2.Transport{Source: found.TokenSource, Base: plain}
	} else if os.Getenv("GOOGLE_APPLICATION_CREDENTIALS") != "" {
		return nil, &data.StoreError{Err: fs.ErrPermission, Msg: "the credentials that " +
			"GOOGLE_APPLICATION_CREDENTIALS names cannot be used: " + oneLine(err.Error())}
	}
	return newBuckets("gs", host, o,
		"check GOOGLE_APPLICATION_CREDENTIALS, or run gcloud auth application-default login")
}

func newBuckets(scheme, host string, o *minio.Options, advice string) (data.Store, error) {
	o.MaxRetries = 1 // readers repeat
	c, err := minio.NewCore(host, o)
	if err != nil {
		return nil, &data.StoreError{Msg: oneLine(err.Error()), Err: err}
	}
	return &buckets{core: *c, scheme: scheme, advice: advice}, nil
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// split returns bucket and key of a URL.
func (s *buckets) split(url string) (bucket, key string, err error) {
	bucket, key, _ = strings.Cut(strings.TrimPrefix(url, s.scheme+"://"), "/")
	if bucket == "" {
		return "", "", &data.StoreError{Err: data.ErrOption,
			Msg: fmt.Sprintf("want %s://BUCKET/KEY", s.scheme)}
	}
	return bucket, key, nil
}

func (s *buckets) url(bucket, key string) string { return s.scheme + "://" + bucket + "/" + key }

// List implements data.Store.
func (s *buckets) List(ctx context.Context, prefix string) ([]data.StoredFile, error) {
	bucket, key, err := s.split(prefix)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx) // the channel ends with it
	defer cancel()
	var files []data.StoredFile
	for o := range s.core.Client.ListObjects(ctx, bucket, minio.ListObjectsOptions{Prefix: key, Recursive: true}) {
		if o.Err != nil {
			return nil, s.fault(bucket, o.Err)
		}
		f := data.StoredFile{URL: s.url(bucket, o.Key), Size: o.Size, Version: o.ETag}
		if err := s.seen.check(f.URL, newVersion(o.ETag, o.LastModified, o.Size)); err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, ctx.Err()
}

// Stat implements data.Store.
func (s *buckets) Stat(ctx context.Context, url string) (data.StoredFile, error) {
	bucket, key, err := s.split(url)
	if err != nil {
		return data.StoredFile{}, err
	}
	if key == "" {
		return data.StoredFile{}, &data.StoreError{Msg: "no such file", Err: fs.ErrNotExist}
	}
	o, err := s.core.StatObject(ctx, bucket, key, minio.StatObjectOptions{})
	if err != nil {
		return data.StoredFile{}, s.fault(bucket, err)
	}
	return data.StoredFile{URL: url, Size: o.Size, Version: o.ETag},
		s.seen.check(url, newVersion(o.ETag, o.LastModified, o.Size))
}

// Open implements data.Store.
func (s *buckets) Open(
	ctx context.Context, f data.StoredFile, at, size int64,
) (io.ReadCloser, error) {
	bucket, key, err := s.split(f.URL)
	if err != nil {
		return nil, err
	}
	var o minio.GetObjectOptions
	if f.Version != "" {
		if err := o.SetMatchETag(f.Version); err != nil {
			return nil, err
		}
	}
	if at > 0 || size < f.Size {
		if err := o.SetRange(at, at+size-1); err != nil {
			return nil, err
		}
	}
	in, got, header, err := s.core.GetObject(ctx, bucket, key, o)
	if err != nil {
		return nil, s.fault(bucket, err)
	}
	whole := got.Size
	if ranges := header.Get("Content-Range"); ranges != "" || at > 0 || size < f.Size {
		whole, err = rangeOf(ranges, at)
	}
	if changed := s.seen.check(f.URL, newVersion(got.ETag, got.LastModified, whole)); changed != nil {
		err = changed
	}
	if err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// fault explains an error of the service or of the way to it.
func (s *buckets) fault(bucket string, err error) error {
	var known *data.StoreError
	if errors.As(err, &known) {
		return known
	}
	var token *oauth2.RetrieveError
	if errors.As(err, &token) {
		return &data.StoreError{Err: fs.ErrPermission,
			Msg: "access is denied (the credentials give no token): " + s.advice}
	}
	var r minio.ErrorResponse
	if !errors.As(err, &r) || r.StatusCode == 0 && r.Code == "" {
		return unreachable(err)
	}
	if r.Code == minio.NoSuchBucket {
		return &data.StoreError{Msg: fmt.Sprintf("there is no bucket %q", bucket),
			Err: fs.ErrNotExist}
	}
	return answer(r.StatusCode, strings.TrimSpace(r.Code+" "+r.Message), s.advice, err)
}
