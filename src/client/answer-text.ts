/** Decoded as it comes: `response.text()` would hold the bytes of an answer twice, beside the text. */
export async function answerText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body ?? []) text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}
