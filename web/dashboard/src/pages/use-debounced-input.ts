/** Debounced search text that also follows changes of the URL. */
import { useEffect, useRef, useState } from 'preact/hooks'

const DEBOUNCE_MS = 250

export function useDebouncedInput(
  text: string,
  send: (text: string) => void,
): [string, (text: string) => void] {
  const [typed, setTyped] = useState(text)
  const sent = useRef(text)
  const newest = useRef(send)
  newest.current = send
  useEffect(() => {
    if (text === sent.current) return
    sent.current = text
    setTyped(text)
  }, [text])
  useEffect(() => {
    if (typed.trim() === sent.current) return
    const timer = setTimeout(() => {
      sent.current = typed.trim()
      newest.current(typed.trim())
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed, setTyped]
}
