declare module 'parse-prometheus-text-format' {
  /** One entry a metric name. */
  function parse(text: string): unknown[]
  export = parse
}
