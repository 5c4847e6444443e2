/** What the tests use of the independent reader of requests. */
declare module 'openapi-enforcer' {
  interface Parameter {
    /** The value that was written, by the style of the parameter; the second of the pair says what is wrong. */
    parse(value: string, query?: Record<string, string[]>): [unknown, unknown]
  }
  interface Enforcer {
    v3_0: { Parameter: new (definition: object) => [Parameter | undefined, unknown] }
  }
  const enforcer: Enforcer
  export = enforcer
}
