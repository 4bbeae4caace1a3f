// Package coppice is the face of the library.
package coppice
