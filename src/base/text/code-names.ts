/** Names in the files of words that browsers load, of what a code means and of what helps: `link.missing`, `mail.tls`. */
import { messageName } from './message-name.ts'

export function meaningName(code: string): string {
  return messageName(`meaning|${code}`)
}

export function remedyName(code: string): string {
  return messageName(`remedy|${code}`)
}
