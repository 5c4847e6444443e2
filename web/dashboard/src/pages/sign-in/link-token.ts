import { useState } from 'preact/hooks'

/** Returns the token after `#token=`, which is only ever sent in a request body. Empty when there is none. */
export function useLinkToken(): string {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '')
  return token
}
