// Reads {templates: {name: PodTemplateSpec}, pods: {name: Pod}} and prints them as API server 1.35 stores and shows them: defaults, round trip.
package main

import (
	"encoding/json"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/core"
	v1 "k8s.io/kubernetes/pkg/apis/core/v1"
)

type input struct {
	Templates map[string]corev1.PodTemplateSpec `json:"templates"`
	Pods      map[string]corev1.Pod             `json:"pods"`
}

func main() {
	v1.AddToScheme(legacyscheme.Scheme)
	core.AddToScheme(legacyscheme.Scheme)
	var in input
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		panic(err)
	}
	out := input{Templates: map[string]corev1.PodTemplateSpec{}, Pods: map[string]corev1.Pod{}}
	for name, t := range in.Templates {
		holder := corev1.PodTemplate{Template: t}
		v1.SetObjectDefaults_PodTemplate(&holder)
		var internal core.PodTemplate
		if err := v1.Convert_v1_PodTemplate_To_core_PodTemplate(&holder, &internal, nil); err != nil {
			panic(err)
		}
		var back corev1.PodTemplate
		if err := v1.Convert_core_PodTemplate_To_v1_PodTemplate(&internal, &back, nil); err != nil {
			panic(err)
		}
		out.Templates[name] = back.Template
	}
	for name, p := range in.Pods {
		v1.SetObjectDefaults_Pod(&p)
		var internal core.Pod
		if err := v1.Convert_v1_Pod_To_core_Pod(&p, &internal, nil); err != nil {
			panic(err)
		}
		var back corev1.Pod
		if err := v1.Convert_core_Pod_To_v1_Pod(&internal, &back, nil); err != nil {
			panic(err)
		}
		out.Pods[name] = back
	}
	e := json.NewEncoder(os.Stdout)
	e.SetIndent("", " ")
	if err := e.Encode(out); err != nil {
		panic(err)
	}
}
