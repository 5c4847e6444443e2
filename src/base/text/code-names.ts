/** Names of translated meanings and remedies by code, in message files: `link.missing`, `mail.tls`. */
import { messageName } from './message-name.ts'

export function meaningMessageName(code: string): string {
  return messageName(`meaning|${code}`)
}

export function remedyMessageName(code: string): string {
  return messageName(`remedy|${code}`)
}
