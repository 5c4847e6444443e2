import { formatKeys } from '../app/keys.ts'

export function Kbd({ children }: { children: string }) {
  return (
    <kbd class="inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-sm border border-line bg-neutral-2 px-1 font-sans text-12 leading-none text-soft">
      {children}
    </kbd>
  )
}

/** Keys of a command, such as `g f` or `mod+k`. Hidden on devices without a keyboard. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span class="inline-flex shrink-0 items-center gap-1 coarse:hidden">
      {formatKeys(keys).map((stroke, index) => (
        <span key={index} class="inline-flex gap-0.5">
          {stroke.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </span>
      ))}
    </span>
  )
}
