/** Size of the film in pixels, and its duration. */
export const FILM = { width: 480, height: 320, seconds: 4 };

/**
 * Code for the page: draws a skyline at sunset with moving clouds and a ferry, and records it. Evaluates to the first
 * frame as JPEG and the film as MP4, both in base64.
 */
export const RECORD_FILM = `(async () => {
  const { width, height, seconds } = ${JSON.stringify(FILM)};
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  document.body.append(canvas);
  const context = canvas.getContext('2d');
  const fill = (colour, draw) => {
    context.fillStyle = colour;
    context.beginPath();
    draw(context);
    context.fill();
  };
  const towers = Array.from({ length: 14 }, (_, index) => ({ x: index * 36 - 8, height: 50 + ((index * 53) % 90) }));
  const paint = (time) => {
    const sky = context.createLinearGradient(0, 0, 0, 200);
    sky.addColorStop(0, '#4a5fa8');
    sky.addColorStop(1, '#f5a66b');
    fill(sky, (path) => path.rect(0, 0, width, 220));
    fill('#ffe9b8', (path) => path.arc(330, 170 + time * 5, 30, 0, 7));
    for (const [x, y, size] of [[60, 60, 1], [240, 40, 1.3], [420, 80, 0.9]])
      fill('rgb(255 255 255 / 55%)', (path) => {
        const at = ((x + time * 14) % (width + 120)) - 60;
        for (const [dx, dy, r] of [[0, 0, 16], [20, -8, 20], [42, 0, 15]]) {
          path.moveTo(at + dx * size + r * size, y + dy * size);
          path.arc(at + dx * size, y + dy * size, r * size, 0, 7);
        }
      });
    for (const { x, height: tall } of towers) fill('#3b3558', (path) => path.rect(x, 220 - tall, 30, tall));
    for (const { x, height: tall } of towers)
      for (let row = 8; row < tall - 8; row += 14)
        fill((x + row) % 3 === 0 ? '#ffd98a' : '#57507a', (path) => {
          path.rect(x + 5, 220 - tall + row, 6, 7);
          path.rect(x + 18, 220 - tall + row, 6, 7);
        });
    fill('#5b6fae', (path) => path.rect(0, 220, width, 100));
    for (let line = 0; line < 6; line += 1)
      fill('rgb(255 220 170 / 45%)', (path) => {
        const shift = Math.sin(time * 2 + line) * 8;
        path.rect(290 + shift - line * 3, 230 + line * 14, 80 + line * 6, 4);
      });
    const ferry = 40 + time * 24;
    fill('#f4f1ea', (path) => path.rect(ferry + 14, 252, 60, 14));
    fill('#b8453b', (path) => {
      path.moveTo(ferry, 266);
      path.lineTo(ferry + 96, 266);
      path.lineTo(ferry + 82, 284);
      path.lineTo(ferry + 14, 284);
    });
  };
  const base64Of = async (blob) => {
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  };
  paint(0);
  const poster = await base64Of(await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.8)));
  const recorder = new MediaRecorder(canvas.captureStream(20), {
    mimeType: 'video/mp4;codecs=avc1.42E01E',
    videoBitsPerSecond: 200_000,
  });
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const stopped = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.start();
  const began = performance.now();
  await new Promise((resolve) => {
    const draw = () => {
      const time = (performance.now() - began) / 1000;
      paint(time);
      if (time < seconds) requestAnimationFrame(draw);
      else resolve();
    };
    draw();
  });
  recorder.stop();
  await stopped;
  return { poster, film: await base64Of(new Blob(parts)) };
})()`;
