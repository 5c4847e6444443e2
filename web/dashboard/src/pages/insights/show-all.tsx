import { Link } from '../../ui/link.tsx'
import { rich } from '../../words/words.ts'

export function ShowAll({ href, list }: { href: string; list: string }) {
  return (
    <Link href={href} look="quiet" class="text-12 text-soft">
      {rich('Show all<a>: {list}</a>', { a: (inner) => <span class="sr-only">{inner}</span>, list })}
    </Link>
  )
}
