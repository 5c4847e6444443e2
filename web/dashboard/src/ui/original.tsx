/** The server's own sentence, where the one above it tells only of what kind it is. */
export function Original({ text }: { text: string | null }) {
  return text === null ? null : (
    <p class="mt-1 text-13 break-words" lang="en" dir="auto">
      {text}
    </p>
  )
}
