/** Shows the server's original message below a translated message that is less specific. */
export function OriginalMessage({ text }: { text: string | null }) {
  return text === null ? null : (
    <p class="mt-1 text-13 break-words" lang="en" dir="auto">
      {text}
    </p>
  )
}
