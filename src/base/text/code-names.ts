/** Names of translated meanings and remedies by code, in message files: `link.missing`, `mail.tls`. */
import { messageName } from './message-name.ts'

export function meaningName(code: string): string {
  return messageName(`meaning|${code}`)
}

export function remedyName(code: string): string {
  return messageName(`remedy|${code}`)
}
