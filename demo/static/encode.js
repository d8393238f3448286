// Makes a film of pictures: the browser's own encoder, so that no other program is needed.

const KEY_S = 4, QUEUE = 6;

const base64 = (bytes) => {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
};

/** The best of `codecs` (WebCodecs names) that this browser encodes at this size; null where it encodes none. */
globalThis.codecFor = async (codecs, width, height) => {
  for (const codec of globalThis.VideoEncoder ? codecs : []) {
    const found = await VideoEncoder.isConfigSupported({ codec, width, height, bitrate: 1e6 });
    if (found.supported) return codec;
  }
  return null;
};

/** Encode `frames` ([address, seconds]); gives [seconds, is it a key frame, base64] for each. */
globalThis.encode = async ({ codec, width, height, bitrate, frames }) => {
  const chunks = [];
  let failed = null, wake = null;
  const encoder = new VideoEncoder({
    output(chunk) {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      chunks.push([chunk.timestamp / 1e6, chunk.type === "key", base64(bytes)]);
    },
    error(error) { failed = error; wake?.(); },
  });
  encoder.configure({ codec, width, height, bitrate, bitrateMode: "variable", latencyMode: "realtime", contentHint: "text" });
  encoder.ondequeue = () => wake?.();
  const canvas = new OffscreenCanvas(width, height), pen = canvas.getContext("2d", { alpha: false });
  let key = -Infinity;
  for (const [address, seconds] of frames) {
    const picture = await createImageBitmap(await (await fetch(address)).blob());
    pen.fillStyle = "#0a0e1a";
    pen.fillRect(0, 0, width, height);
    const scale = Math.min(width / picture.width, height / picture.height);
    pen.drawImage(picture, (width - picture.width * scale) / 2, (height - picture.height * scale) / 2, picture.width * scale, picture.height * scale);
    picture.close();
    const frame = new VideoFrame(canvas, { timestamp: Math.round(seconds * 1e6) });
    const keyFrame = seconds - key >= KEY_S;
    if (keyFrame) key = seconds;
    encoder.encode(frame, { keyFrame });
    frame.close();
    while (!failed && encoder.encodeQueueSize > QUEUE) await new Promise((go) => { wake = go; });
    if (failed) throw failed;
  }
  await encoder.flush();
  encoder.close();
  return chunks;
};
