import { useState } from 'preact/hooks'

/** The token behind `#token=`: it never leaves the browser but in the body of a request. Empty when there is none. */
export function useLinkToken(): string {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '')
  return token
}
