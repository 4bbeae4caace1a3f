// Package coppice is the face of the library. It owns what most programs need and no more: Open,
// OpenMapped and Save for models in Coppice's own file format, and training by one call. The
// packages below it hold everything else: data the tables, learn the learners, model prediction,
// eval the evaluation; models of other tools are read by codec/formats.
//
// Importing coppice pulls in no reader of file formats and no dependency that is heavy to build.
package coppice
