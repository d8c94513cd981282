/** The same response; tells once when its body has been sent, or when nobody reads it any more. */
export function whenOver(response: Response, tell: () => void): Response {
  if (!response.body) {
    tell();
    return response;
  }
  const reader = response.body.getReader();
  let told = false;
  const over = () => {
    if (!told) tell();
    told = true;
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      over();
    },
    async cancel(reason) {
      over();
      await reader.cancel(reason);
    },
  });
  return new Response(body, response);
}
