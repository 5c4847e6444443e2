import { PlainText } from './plain-text.tsx'

/** Untrusted text with the search matches highlighted. */
export function HighlightedText({ text, q }: { text: string; q: string | null }) {
  const at = q === null || q === '' ? -1 : text.toLowerCase().indexOf(q.toLowerCase())
  if (at === -1 || q === null) return <PlainText text={text} />
  return (
    <>
      <PlainText text={text.slice(0, at)} />
      <mark class="rounded-[2px] bg-warning-ground text-text underline decoration-warning-solid underline-offset-2">
        <PlainText text={text.slice(at, at + q.length)} />
      </mark>
      <PlainText text={text.slice(at + q.length)} />
    </>
  )
}
