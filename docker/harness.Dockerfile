# The browser, and the harness: agents and sweeps. Neither holds a site's rows, nor serves a world.
# Built from the checkout: docker build -f docker/harness.Dockerfile --target runner .

FROM debian:bookworm-slim AS python
RUN apt-get -qq update \
 && apt-get -qq -y --no-install-recommends install python3 > /dev/null \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*

FROM python AS build
RUN apt-get -qq update && apt-get -qq -y --no-install-recommends install python3-pip python3-venv > /dev/null
WORKDIR /src
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1 PIP_ROOT_USER_ACTION=ignore
COPY constraints.txt ./
RUN python3 -m venv --without-pip /opt/sitegym

FROM build AS code
RUN python3 -m pip install -c constraints.txt --target /build setuptools
COPY . .
RUN PYTHONPATH=/build python3 -m pip wheel --no-deps --no-build-isolation -w /wheel . \
 && python3 -m pip install --no-deps --no-index --target /code /wheel/*.whl && rm -rf /code/bin

# what the browser's container needs of sitegym's dependencies: Playwright's server and the screen's
FROM build AS browser-needs
RUN python3 -m pip --python /opt/sitegym/bin/python install -c constraints.txt playwright websockets

FROM build AS runner-needs
COPY pyproject.toml ./
RUN python3 -c "import tomllib; told = tomllib.load(open('pyproject.toml', 'rb'))['project']; \
      print(*told['dependencies'], *told['optional-dependencies']['openai'], sep='\n')" > runner.txt \
 && python3 -m pip --python /opt/sitegym/bin/python install -c constraints.txt -r runner.txt

# Of Mesa nothing is used: pages are drawn by Chromium's own software renderer, and the screen has no GLX.
FROM python AS browser
RUN apt-get -qq update \
 && apt-get -qq -y --no-install-recommends install chromium libatomic1 tigervnc-standalone-server > /dev/null \
 && cd /tmp && apt-get -qq download novnc 2> /dev/null && dpkg -x novnc_*.deb novnc && mv novnc/usr/share/novnc /usr/share/novnc \
 && find /usr/lib/chromium/locales -type f ! -name 'en-US.pak*' -delete \
 && rm -rf /tmp/novnc* /usr/lib/*/libLLVM* /usr/lib/*/libz3* /usr/lib/*/dri /usr/share/icons/* /usr/share/fonts/* \
           /usr/lib/chromium/libVkLayer* /var/lib/apt/lists/* /var/cache/apt/*
RUN install -d -m 0700 -o 10001 -g 10001 /run/screen
COPY --from=browser-needs /opt/sitegym /opt/sitegym
COPY --from=code /code /opt/sitegym/lib/python3.11/site-packages
ARG VERSION=unknown
ARG CONTENT=unknown
LABEL org.opencontainers.image.title="sitegym browser" \
      org.opencontainers.image.version=$VERSION \
      org.sitegym.content=$CONTENT
ENV PATH=/opt/sitegym/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 HOME=/tmp TMPDIR=/tmp SITEGYM_CACHE=/tmp/cache
USER 10001:10001
WORKDIR /tmp
CMD ["python", "-m", "sitegym.envs.browser_server", "--token-file", "/run/secrets/browser"]

FROM python AS runner
RUN apt-get -qq update \
 && apt-get -qq -y --no-install-recommends install libatomic1 > /dev/null \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*
RUN install -d -m 0700 -o 10001 -g 10001 /run/control /run/grading /runs
COPY --from=runner-needs /opt/sitegym /opt/sitegym
COPY --from=code /code /opt/sitegym/lib/python3.11/site-packages
ARG VERSION=unknown
ARG CONTENT=unknown
LABEL org.opencontainers.image.title="sitegym runner" \
      org.opencontainers.image.version=$VERSION \
      org.sitegym.content=$CONTENT
ENV PATH=/opt/sitegym/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 HOME=/tmp TMPDIR=/tmp SITEGYM_CACHE=/tmp/cache
USER 10001:10001
WORKDIR /runs
ENTRYPOINT ["python", "-m", "sitegym"]
CMD ["--help"]
