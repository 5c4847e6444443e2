/**
 * Renders untrusted text. Invisible characters that change how text is displayed are shown as code points: control
 * characters, bidirectional marks and zero-width characters. Joiners are left unchanged, because scripts and emoji
 * need them.
 */
const UNSEEN =
  /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff])/u

export function PlainText({ text }: { text: string }) {
  if (!UNSEEN.test(text)) return <>{text}</>
  return (
    <>
      {text.split(UNSEEN).map((piece, index) =>
        index % 2 === 0 ? (
          piece
        ) : (
          <span key={index} class="rounded-[3px] bg-warning-ground px-0.5 text-12 text-warning">
            U+{(piece.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}
          </span>
        ),
      )}
    </>
  )
}
