declare module 'parse-prometheus-text-format' {
  /** Returns one entry per metric name. */
  function parse(text: string): unknown[]
  export = parse
}
