// The Kubernetes provider has no importable main: this one serves the upstream provider with the
// upstream schema, which the build lays beside this file (`go:embed` reads it from there).
package main

import (
	_ "embed"

	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"
)

//go:embed schema.json
var schema []byte

//go:embed terraform-mapping.json
var mapping []byte

// version is set at link time: the version of the npm SDK that this provider serves.
var version = "unset"

func main() { provider.Serve("kubernetes", version, schema, mapping) }
