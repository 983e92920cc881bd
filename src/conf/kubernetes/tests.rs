use super::Kubernetes;
use crate::conf::trial::{self, notes};
use crate::facts::deployment::{Deployed, Deployment};

fn read(files: &[(&str, &str)]) -> Deployment {
    trial::read(&Kubernetes, files)
}

fn named<'a>(deployment: &'a Deployment, name: &str) -> &'a Deployed {
    deployment.services.iter().find(|service| service.name == name).unwrap_or_else(|| panic!("{name}: {deployment:#?}"))
}

fn env<'a>(service: &'a Deployed, name: &str) -> Result<&'a str, &'a str> {
    service.env[name].value.as_deref().map_err(String::as_str)
}

const ORDERS: &str = "
apiVersion: apps/v1
kind: Deployment
metadata: {name: orders-deployment, namespace: shop}
spec:
  template:
    metadata: {labels: {app: orders, tier: back}}
    spec:
      containers:
        - name: server
          image: ghcr.io/shop/orders:1.2
          command: [node, web.js]
          ports: [{containerPort: 8080}]
          envFrom:
            - configMapRef: {name: common}
            - prefix: DB_
              secretRef: {name: db}
          env:
            - {name: BASE, value: http://pricing}
            - {name: PRICING_URL, value: $(BASE):8080/v1}
            - {name: LEVEL, valueFrom: {configMapKeyRef: {name: common, key: level}}}
            - {name: GONE, valueFrom: {configMapKeyRef: {name: none, key: level}}}
            - {name: KEYLESS, valueFrom: {secretKeyRef: {name: db, key: nope}}}
            - {name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
---
apiVersion: v1
kind: Service
metadata: {name: orders, namespace: shop}
spec: {selector: {app: orders}, ports: [{port: 80, targetPort: 8080, nodePort: 30080}]}
---
apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: common}
    data: {level: debug, CART_URL: http://cart}
  - {apiVersion: v1, kind: Secret, metadata: {name: db}, data: {HOST: ZGIuZXhhbXBsZQ==, BAD: '???'}, stringData: {PORT: '5432'}}
";

#[test]
fn a_workload_with_its_service_maps_and_secrets() {
    let read = read(&[("k8s/orders.yaml", ORDERS)]);
    let orders = named(&read, "orders");
    assert_eq!(orders.hosts, ["orders", "orders.shop"]);
    assert_eq!((orders.ports.as_slice(), orders.published.as_slice()), (&[80, 8080][..], &[30080][..]));
    assert_eq!((orders.image.as_deref(), orders.entry.as_deref()), (Some("ghcr.io/shop/orders:1.2"), Some("web.js")));
    assert_eq!(orders.at.to_string(), "k8s/orders.yaml:4");
    for (name, value) in [
        ("PRICING_URL", Ok("http://pricing:8080/v1")),
        ("LEVEL", Ok("debug")),
        ("CART_URL", Ok("http://cart")),
        ("DB_HOST", Ok("db.example")),
        ("DB_PORT", Ok("5432")),
        ("DB_BAD", Err("it is no text in base64")),
        ("GONE", Err("the ConfigMap `none` is not in the tree")),
        ("KEYLESS", Err("the Secret `db` has no `nope`")),
        ("POD", Err("it comes from `fieldRef`, when the pod runs")),
    ] {
        assert_eq!(env(orders, name), value, "{name}");
    }
    assert_eq!(read.given["ORDERS_SERVICE_HOST"].value.as_deref(), Ok("orders"));
    assert_eq!(read.given["ORDERS_SERVICE_PORT"].value.as_deref(), Ok("80"));
    assert_eq!(notes(&read), Vec::<String>::new());
}

#[test]
fn templates_are_read_as_far_as_they_are_literal() {
    let text = "
apiVersion: apps/v1
kind: Deployment
metadata:
  name: cart
  labels:
    {{- include \"labels\" . | nindent 4 }}
spec:
  template:
    metadata: {labels: {app: cart}}
    spec:
      containers:
        - image: \"{{ .Values.repo }}/rs-cart:{{ .Values.tag }}\"
          env:
            {{- if .Values.x }}
            - {name: A, value: one}
            {{- else }}
            - {name: A, value: two}
            {{- end }}
            - name: B
              value: {{ .Values.b | quote }}
            - {name: C, value: http://pricing}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}-x
";
    let read = read(&[("helm/templates/cart.yaml", text)]);
    let cart = named(&read, "cart");
    assert!(cart.image.as_deref().is_some_and(|image| !image.is_empty()) || cart.image.is_none());
    assert_eq!(env(cart, "A"), Err("a template chooses between values"));
    assert_eq!(env(cart, "B"), Err("a template gives it"));
    assert_eq!(env(cart, "C"), Ok("http://pricing"));
    assert_eq!(read.services.len(), 1);
    let expected = "helm/templates/cart.yaml: 1 object is named by a template, and left out; `helm template` gives manifests that can be read";
    assert_eq!(notes(&read), [expected]);
}

#[test]
fn kustomize_and_skaffold() {
    let read = read(&[
        ("base/a.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {selector: {x: a}}\n"),
        ("base/kustomization.yaml", "resources: [a.yaml]\nconfigMapGenerator:\n  - {name: c, literals: [K=v], envs: [c.env]}\n"),
        ("base/c.env", "L=w\n"),
        (
            "base/w.yaml",
            "apiVersion: v1\nkind: Pod\nmetadata: {name: w}\nspec: {containers: [{image: w, envFrom: [{configMapRef: {name: c}}]}]}\n",
        ),
        ("prod/kustomization.yaml", "namePrefix: prod-\nnamespace: live\nresources: [../base]\n"),
        ("skaffold.yaml", "apiVersion: skaffold/v4beta1\nkind: Config\nbuild:\n  artifacts: [{image: reg/w, context: src/w}]\n"),
    ]);
    assert_eq!(named(&read, "a").hosts, ["a", "prod-a.live", "prod-a", "a.*"]);
    assert_eq!((env(named(&read, "w"), "K"), env(named(&read, "w"), "L")), (Ok("v"), Ok("w")));
    assert_eq!(read.images["w"].shown, "src/w");
}

#[test]
fn versions_behind_one_service_are_one() {
    let pod = |name: &str| {
        format!(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}}}\nspec: {{template: {{metadata: {{labels: {{app: reviews}}}}, spec: {{containers: [{{image: r}}]}}}}}}\n---\n"
        )
    };
    let text = format!(
        "{}{}apiVersion: v1\nkind: Service\nmetadata: {{name: reviews}}\nspec: {{selector: {{app: reviews}}}}\n",
        pod("reviews-v1"),
        pod("reviews-v2")
    );
    let read = read(&[("all.yaml", &text)]);
    assert_eq!(read.services.len(), 1);
    assert_eq!(notes(&read), ["all.yaml:3: reviews-v1, reviews-v2 stand behind one Service, and count as one service, reviews"]);
}

#[test]
fn a_broken_document_takes_no_other_with_it() {
    let text = "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: [b}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: c}\n";
    let read = read(&[("all.yaml", text), ("values.yaml", "x: [")]);
    assert_eq!(read.services.iter().map(|service| service.name.as_str()).collect::<Vec<_>>(), ["a", "c"]);
    assert_eq!(named(&read, "c").at.to_string(), "all.yaml:11");
    let notes = notes(&read);
    assert!(notes.len() == 1 && notes[0].starts_with("all.yaml:7: is no YAML:"), "{notes:?}");
}
