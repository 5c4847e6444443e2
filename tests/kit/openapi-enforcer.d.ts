/** The parts of `openapi-enforcer` that the tests use, as an independent parser of request parameters. */
declare module 'openapi-enforcer' {
  interface Parameter {
    /** Parses a value by the style of the parameter; returns the value and an error. */
    parse(value: string, query?: Record<string, string[]>): [unknown, unknown]
  }
  interface Enforcer {
    v3_0: { Parameter: new (definition: object) => [Parameter | undefined, unknown] }
  }
  const enforcer: Enforcer
  export = enforcer
}
