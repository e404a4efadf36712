// Prints, as JSON by role, the pods that KubeRay makes of the RayCluster on stdin.
package main

import (
	"context"
	"encoding/json"
	"os"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/common"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils"
	corev1 "k8s.io/api/core/v1"
)

func main() {
	var given rayv1.RayCluster
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	ctx := context.Background()
	pods := map[string]corev1.Pod{}
	cluster := given.DeepCopy()
	fqdn := utils.GenerateFQDNServiceName(ctx, *cluster, cluster.Namespace)
	port := common.GetHeadPort(cluster.Spec.HeadGroupSpec.RayStartParams)
	head := cluster.Spec.HeadGroupSpec
	conf := common.DefaultHeadPodTemplate(ctx, *cluster, head, "ray-head-", port)
	pod := common.BuildPod(ctx, conf, rayv1.HeadNode, head.RayStartParams, port, false, utils.RayClusterCRD, fqdn, nil, cluster.Spec.RayVersion)
	pod.Annotations[utils.UpgradeStrategyRecreateHashKey] = "hash"
	pod.Annotations[utils.KubeRayVersion] = utils.KUBERAY_VERSION
	pods["head"] = pod
	for _, group := range given.Spec.WorkerGroupSpecs {
		cluster := given.DeepCopy()
		worker := *group.DeepCopy()
		conf := common.DefaultWorkerPodTemplate(ctx, *cluster, worker, "ray-worker-", fqdn, port, "", 0, 0)
		pods["worker:"+group.GroupName] = common.BuildPod(ctx, conf, rayv1.WorkerNode, worker.RayStartParams, port, false, utils.RayClusterCRD, fqdn, nil, cluster.Spec.RayVersion)
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	if err := out.Encode(pods); err != nil {
		panic(err)
	}
}
