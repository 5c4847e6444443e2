/** Reason why an API description cannot be read. */
export type SpecFault =
  | { kind: 'missing' | 'unreadable' | 'not_a_spec' | 'too_large' | 'not_fetched' }
  | { kind: 'fetch_failed'; reason: string }
