// Package scope decides which paths of an original a model is about.
package scope
